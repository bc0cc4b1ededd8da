#version 150
// Low and medium: light per corner, texture from tiles baked once with the detailed materials.
#include lights.glsl
uniform mat4 p3d_ModelViewProjectionMatrix, p3d_ModelMatrix, shadow_matrix;
uniform vec4 p3d_ColorScale;
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
in vec4 p3d_Color;
out vec3 sun, around, tile, shadow_place;
flat out float edges;    // how much the composite may brighten edges

vec3 lamplight(vec3 world, vec3 n) {
    vec3 sum = vec3(0);
    for (int i = 0; i < lamp_count; i++) {
        vec3 l = lamp_places[i].xyz - world;
        float d2 = dot(l, l), reach = lamp_places[i].w, near = clamp(1. - d2 / (reach * reach), 0., 1.);
        sum += near * near * 1.6 / (d2 * .32 + .85) * lamp_colours[i] * max((dot(n, l * inversesqrt(d2)) + .18) / 1.18, 0.);
    }
    return sum;
}

void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
    vec3 world = (p3d_ModelMatrix * p3d_Vertex).xyz, n = normalize(mat3(p3d_ModelMatrix) * p3d_Normal), a = abs(n);
    float material = floor(p3d_Color.a * 255. / 16. + .5);
    edges = material == 12. ? 0. : .4;
    vec3 albedo = p3d_Color.rgb * p3d_ColorScale.rgb;
    albedo *= albedo;
#ifdef FLOOR
    albedo = vec3(1);       // the ground tile has the colour in it
#endif
    sun = albedo * sun_colour * max(dot(n, sun_direction), 0.);
    around = albedo * (mix(ground_colour, sky_colour, n.z * .5 + .5) + max(dot(n, rim_direction), 0.) * rim_colour + lamplight(world, n));
    if (material == 6.) { sun = vec3(0); around = albedo * 3.6; }
    else if (material == 12.) sun += sun_colour * pow(max(dot(n, normalize(sun_direction + vec3(0, 0, .8))), 0.), 18.) * .25;
    // Corners of walls near the floor are darker: the cheap part of ambient occlusion and grime.
    else if (a.z < .6) around *= .62 + .38 * smoothstep(0., 1.2, world.z);
#ifdef TABLE
    float fade = smoothstep(14., 58., length((world.xy - board_size * .5) * vec2(.8, 1.)));
    sun *= 1. - fade;
    around = mix(around, fog_colour, fade);
#endif
#ifdef FLOOR
    tile = vec3(world.xy / board_size, 0);
#else
    tile = vec3((a.z > .6 ? p3d_Vertex.xy : vec2(a.x > a.y ? p3d_Vertex.y : p3d_Vertex.x, p3d_Vertex.z)) / TILE_INCHES, a.z > .6 ? material + 16. : material);
#endif
    shadow_place = (shadow_matrix * vec4(world + n * .06, 1)).xyz;
}
