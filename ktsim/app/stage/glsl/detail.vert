#version 150
uniform mat4 p3d_ModelViewProjectionMatrix, p3d_ModelMatrix, shadow_matrix;
uniform vec4 p3d_ColorScale;
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
in vec4 p3d_Color;
out vec3 world, normal, local;
flat out vec4 colour;
out vec4 shadow_place;

void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
    world = (p3d_ModelMatrix * p3d_Vertex).xyz;
    normal = normalize(mat3(p3d_ModelMatrix) * p3d_Normal);
    local = p3d_Vertex.xyz;
    colour = vec4(p3d_Color.rgb * p3d_ColorScale.rgb, p3d_Color.a);
    shadow_place = shadow_matrix * vec4(world + normal * .05, 1);
}
