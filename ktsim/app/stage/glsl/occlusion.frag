#version 150
// r: occlusion near by, g: wide occlusion, b: how convex an edge is (highlighted like a painted one).
uniform sampler2D depth_texture;
uniform vec2 texel;
uniform vec4 projection;   // near, far, tangents of half the field of view
uniform int samples;
in vec2 uv;
out vec4 result;
float linear(float d) { return projection.x * projection.y / (projection.y - d * (projection.y - projection.x)); }
vec3 place(vec2 t) { float z = linear(texture(depth_texture, t).r); return vec3((t * 2. - 1.) * projection.zw * z, z); }

float open(vec3 p, vec3 n, float radius, float rotation) {
    float hidden = 0.;
    vec2 reach = radius / (p.z * projection.zw) * .5;
    for (int i = 0; i < samples; i++) {
        float a = rotation + float(i) * 2.39996, r = sqrt((float(i) + .5) / float(samples));
        vec3 v = place(uv + vec2(cos(a), sin(a)) * r * reach) - p;
        float d2 = dot(v, v);
        hidden += max(0., dot(v, n) / sqrt(d2 + 1e-5) - .10) * clamp(1. - d2 / (radius * radius * 1.6), 0., 1.);
    }
    return clamp(1. - 2.1 * hidden / float(samples), 0., 1.);
}

void main() {
    vec3 p = place(uv);
    result = vec4(1, 1, 0, 1);
    if (p.z > projection.y * .95) return;
    vec3 right = place(uv + vec2(texel.x, 0)), left = place(uv - vec2(texel.x, 0)), up = place(uv + vec2(0, texel.y)), down = place(uv - vec2(0, texel.y));
    vec3 dx = abs(right.z - p.z) < abs(p.z - left.z) ? right - p : p - left;
    vec3 dy = abs(up.z - p.z) < abs(p.z - down.z) ? up - p : p - down;
    vec3 n = normalize(cross(dx, dy));
    if (n.z > 0.) n = -n;
    float rotation = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(.06711056, .00583715)))) * 6.2832, convex = 0.;
    vec2 reach = max(.045 / (p.z * projection.zw) * .5, texel * 1.5);
    for (int i = 0; i < 8; i++) {
        float a = float(i) * .7854;
        vec3 v = place(uv + vec2(cos(a), sin(a)) * reach) - p;
        float l = length(v);
        convex += max(0., -dot(v, n) / (l + 1e-4) - .12) * (l < .35 ? 1. : 0.);
    }
    result = vec4(open(p, n, .55, rotation), open(p, n, 2.2, rotation + 1.), clamp(convex * .30, 0., 1.), 1);
}
